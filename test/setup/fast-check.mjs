// The fast-check of every test (jest.config.js maps the package's name to this file). By itself fast-check stops near ten
// elements whatever `maxLength` says: with this setting a property test reaches the sizes that it states.
import fc from '../../node_modules/fast-check/lib/fast-check.js';

// A commit always meets the same values, so no run fails by chance. The nightly run gives seeds of its own.
const seed = Number(process.env.RTMS_TEST_SEED ?? 1);

fc.configureGlobal({ defaultSizeToMaxWhenMaxSpecified: true, seed });

export * from '../../node_modules/fast-check/lib/fast-check.js';
export default fc;

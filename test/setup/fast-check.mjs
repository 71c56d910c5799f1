// The fast-check of every test (jest.config.js maps the package's name to this file). By itself fast-check stops near ten
// elements whatever `maxLength` says: with this setting a property test reaches the sizes that it states.
import fc from '../../node_modules/fast-check/lib/fast-check.js';

fc.configureGlobal({ defaultSizeToMaxWhenMaxSpecified: true });

export * from '../../node_modules/fast-check/lib/fast-check.js';
export default fc;

/**
 * What the image of a service holds beside the packages that its code imports.
 * @typedef {object} ServiceImage
 * @property {string[]} entries compiled files that are started in the image; what they import comes along
 * @property {string[]} packages found by their name at run time, so that no import tells of them
 * @property {string[]} folders copied as they are
 */

/** @type {Record<string, ServiceImage>} */
export const serviceImages = {
  gateway: {
    entries: [
      'apps/gateway/dist/main.js',
      'apps/gateway/dist/database/migrate.js',
      'apps/gateway/dist/cli/rtms-admin.js',
    ],
    // TypeORM looks for its driver by name, the page of the API's description for the files that it serves.
    packages: ['pg', 'swagger-ui-dist'],
    folders: ['apps/dashboard/dist'],
  },
  sfu: { entries: ['apps/sfu/dist/main.js'], packages: [], folders: [] },
  transcoder: { entries: ['apps/transcoder/dist/main.js'], packages: [], folders: [] },
};

/** Every service listens through it. */
export const packagesOfAll = ['@nestjs/platform-express'];

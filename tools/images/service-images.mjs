/**
 * Content of a service's image beside the packages that its code imports.
 * @typedef {object} ServiceImage
 * @property {string[]} entries compiled files that are started in the image; what they import comes along
 * @property {string[]} packages that are loaded by name at run time, without an import
 * @property {string[]} folders copied as they are
 */

/** @type {Record<string, ServiceImage>} */
export const serviceImages = {
  gateway: {
    entries: [
      'apps/gateway/dist/main.js',
      'apps/gateway/dist/platform/database/migrate.js',
      'apps/gateway/dist/admin/cli/rtms-admin.js',
    ],
    // TypeORM looks for its driver by name, the page of the API's description for the files that it serves.
    packages: ['pg', 'swagger-ui-dist'],
    folders: ['apps/dashboard/dist'],
  },
  sfu: { entries: ['apps/sfu/dist/main.js'], packages: [], folders: [] },
  transcoder: { entries: ['apps/transcoder/dist/main.js'], packages: [], folders: [] },
  ingest: { entries: ['apps/ingest/dist/main.js'], packages: [], folders: [] },
};

/** Every service listens by Express. */
export const packagesOfAll = ['@nestjs/platform-express'];

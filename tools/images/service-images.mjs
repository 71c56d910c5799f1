/**
 * Content of a service's image beside its bundle and the packages that its code imports.
 * @typedef {object} ServiceImage
 * @property {string[]} packages that are loaded by name at run time, without an import
 * @property {string[]} folders copied as they are
 */

/** @type {Record<import('../bundle/service-bundles.mjs').Service, ServiceImage>} */
export const serviceImages = {
  gateway: {
    // TypeORM looks for its driver by name, the page of the API's description for the files that it serves.
    packages: ['pg', 'swagger-ui-dist'],
    folders: ['apps/dashboard/dist'],
  },
  sfu: { packages: [], folders: [] },
  transcoder: { packages: [], folders: [] },
  ingest: { packages: [], folders: [] },
};

/** Every service listens by Express. */
export const packagesOfAll = ['@nestjs/platform-express'];

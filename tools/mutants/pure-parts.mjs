/** @typedef {{ name: string, files: string[], specs?: string[], except?: string[], without?: string[] }} PurePart */

/**
 * Parts that decide and compute, without input or output of their own. `files` are globs without their ending, and the specs beside
 * them prove each part, with `specs` of another name. `except` has files without a decision: types, tables of messages, re-exports,
 * readers of media. `without` has specs that try thousands of inputs: for each of some thousand mutants that would take days.
 *
 * @type {PurePart[]}
 */
export const pureParts = [
  {
    name: 'sdp',
    files: ['apps/sfu/src/signalling/sdp/*'],
    except: ['session-offer'],
    without: ['apps/sfu/src/signalling/sdp/*.random'],
  },
  {
    name: 'decisions',
    files: [
      'apps/gateway/src/media/*/decide-*',
      'apps/gateway/src/media/reconciler/holding',
      'apps/gateway/src/events/{deliveries/delivery-decisions,log/decide-events}',
      'apps/sfu/src/signalling/patch-decision',
      'apps/transcoder/src/jobs/restreams/retry-decision',
    ],
    specs: ['apps/sfu/src/signalling/signalling'],
  },
  {
    name: 'placement',
    files: [
      'apps/gateway/src/media/nodes/{choose-node,lease-table}',
      'apps/gateway/src/media/resources/placement',
      'apps/sfu/src/relay/choose-relay',
    ],
  },
  { name: 'ladder', files: ['apps/transcoder/src/jobs/hls/{rendition-ladder,size-watch}'] },
  {
    name: 'playlists',
    files: ['apps/transcoder/src/delivery/presentation/{,playlists/}*'],
    except: ['presentation/fragmented-mp4'],
    without: ['apps/transcoder/src/delivery/presentation/*.random'],
  },
  { name: 'origin-policy', files: ['apps/gateway/src/platform/auth/{host-name,origin-policy,request-origin}'] },
  {
    name: 'importer',
    files: [
      'libs/agent-import/src/*',
      'libs/agent-import/src/{definition,findings,platform-a,platform-b,recognition,secrets}/*',
    ],
    except: ['index', 'finding-texts', 'imported-agent'],
    without: ['libs/agent-import/src/{*,secrets/*}.random'],
  },
];

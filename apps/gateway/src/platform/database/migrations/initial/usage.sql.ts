const msOf = (time: string) => `(EXTRACT(EPOCH FROM ${time}) * 1000)::bigint`;

/** The sums of the rows, times `sign`. */
const sums = (rows: string, sign: 1 | -1) => `
SELECT account_id, key_type, kind = 'recording' AS recording,
  ${sign} * count(*) FILTER (WHERE ended_at IS NULL) AS running,
  ${sign} * COALESCE(sum(${msOf('metered_until')}) FILTER (WHERE ended_at IS NULL), 0) AS running_from_ms,
  ${sign} * COALESCE(sum(${msOf('ended_at')} - ${msOf('metered_until')}) FILTER (WHERE ended_at IS NOT NULL), 0) AS ended_ms
FROM ${rows} WHERE NOT settled GROUP BY 1, 2, 3`;

const addition = (select: string) => `
INSERT INTO unsettled_usage (account_id, key_type, recording, running, running_from_ms, ended_ms)
SELECT account_id, key_type, recording, sum(running), sum(running_from_ms), sum(ended_ms) FROM (${select}) AS changes
GROUP BY 1, 2, 3 HAVING sum(running) <> 0 OR sum(running_from_ms) <> 0 OR sum(ended_ms) <> 0;`;

const trigger = (event: 'insert' | 'update' | 'delete', transitions: string, select: string) => `
CREATE FUNCTION sum_usage_on_${event}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN ${addition(select)}
  RETURN NULL;
END $$;
CREATE TRIGGER usage_summed_on_${event} AFTER ${event} ON usage_intervals REFERENCING ${transitions}
  FOR EACH STATEMENT EXECUTE FUNCTION sum_usage_on_${event}();`;

const added = sums('new_rows', 1);
const removed = sums('old_rows', -1);

/** Balances and the ledger of used minutes. */
export const usage = `
-- In milliseconds. An account begins with 100,000 meeting minutes and 10,000 recording minutes of each type.
CREATE TABLE balances (
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  key_type text NOT NULL CHECK (key_type IN ('sandbox', 'production')),
  meeting_ms bigint NOT NULL DEFAULT 6000000000,
  recording_ms bigint NOT NULL DEFAULT 600000000,
  PRIMARY KEY (account_id, key_type)
);
CREATE FUNCTION open_balances() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO balances (account_id, key_type) VALUES (NEW.id, 'sandbox'), (NEW.id, 'production');
  RETURN NEW;
END $$;
CREATE TRIGGER accounts_open_balances AFTER INSERT ON accounts FOR EACH ROW EXECUTE FUNCTION open_balances();

-- The ledger. The time from started_at to metered_until is charged. settled: nothing is left to charge.
-- No reference to rooms: rows outlive their rooms.
CREATE TABLE usage_intervals (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  key_type text NOT NULL,
  meeting_id text NOT NULL,
  resource_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('external_session', 'participant', 'recording')),
  started_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3) CHECK (ended_at >= started_at),
  metered_until timestamptz(3) NOT NULL,
  settled boolean NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX usage_intervals_open ON usage_intervals (resource_id) WHERE ended_at IS NULL;
CREATE INDEX usage_intervals_unsettled ON usage_intervals (account_id, key_type) WHERE NOT settled;
CREATE INDEX usage_intervals_by_room ON usage_intervals (meeting_id, resource_id);
CREATE INDEX usage_intervals_by_end ON usage_intervals (ended_at) WHERE settled;
-- The gateway deletes the usage of an account before the account.
CREATE INDEX usage_intervals_by_account ON usage_intervals (account_id);

-- Sums of the usage that is not charged yet; the value is the sum over all rows of an account, type and kind of minutes.
-- running: open intervals. running_from_ms: the sum of their metered_until. ended_ms: uncharged time of ended intervals.
-- Triggers only add rows, so that no two transactions wait for each other. The gateway folds the rows.
CREATE TABLE unsettled_usage (
  account_id text NOT NULL,
  key_type text NOT NULL,
  recording boolean NOT NULL,
  running bigint NOT NULL,
  running_from_ms bigint NOT NULL,
  ended_ms bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CREATE INDEX unsettled_usage_of_account ON unsettled_usage (account_id, key_type);
${trigger('insert', 'NEW TABLE AS new_rows', added)}
${trigger('update', 'OLD TABLE AS old_rows NEW TABLE AS new_rows', `${added} UNION ALL ${removed}`)}
${trigger('delete', 'OLD TABLE AS old_rows', removed)}
`;

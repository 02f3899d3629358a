/** The steps on streams, as functions of the database: each locks the stream's row first. */
export function streamFunctions(schema: string): readonly string[] {
  const create = (declaration: string, body: string): string =>
    `CREATE OR REPLACE FUNCTION ${schema}.${declaration} LANGUAGE plpgsql AS $body$ ${body} $body$`
  return [
    create(
      `append_stream(
        in_session text, in_stream text, in_writer bytea, in_first bigint, in_texts bytea[], in_is_last boolean,
        in_about bytea, most_events bigint, most_bytes bigint, ended_ms float8, open_ms float8
      ) RETURNS boolean`,
      `
      DECLARE
        known ${schema}.streams%ROWTYPE;
        fresh bytea[];
        size bigint;
      BEGIN
        IF in_first = 1 THEN
          DELETE FROM ${schema}.streams AS s
            WHERE s.session = in_session AND s.stream = in_stream AND s.kept_until <= clock_timestamp();
          INSERT INTO ${schema}.streams VALUES
            (in_session, in_stream, in_writer, 0, 0, 0, false, '', NULL, NULL, clock_timestamp() + interval '1 hour')
            ON CONFLICT DO NOTHING;
        END IF;
        SELECT * INTO known FROM ${schema}.streams AS s
          WHERE s.session = in_session AND s.stream = in_stream AND s.kept_until > clock_timestamp() FOR UPDATE;
        IF NOT FOUND OR known.writer <> in_writer OR in_first > known.last + 1 THEN RETURN false; END IF;
        fresh := in_texts[(known.last + 2 - in_first):];
        IF known.is_ended THEN RETURN cardinality(fresh) = 0; END IF;

        INSERT INTO ${schema}.stream_texts
          SELECT in_session, in_stream, known.last + place, text FROM unnest(fresh) WITH ORDINALITY AS added (text, place);
        known.last := known.last + cardinality(fresh);
        known.bytes := known.bytes + (SELECT coalesce(sum(octet_length(text)), 0) FROM unnest(fresh) AS added (text));
        WHILE known.last - known.dropped > 1
          AND (known.last - known.dropped > most_events OR known.bytes > most_bytes)
        LOOP
          known.dropped := known.dropped + 1;
          DELETE FROM ${schema}.stream_texts AS t
            WHERE t.session = in_session AND t.stream = in_stream AND t.number = known.dropped
            RETURNING octet_length(t.text) INTO size;
          known.bytes := known.bytes - size;
        END LOOP;
        UPDATE ${schema}.streams AS s
          SET last = known.last, dropped = known.dropped, bytes = known.bytes, is_ended = in_is_last,
            about = coalesce(in_about, s.about),
            kept_until = clock_timestamp() + (CASE WHEN in_is_last THEN ended_ms ELSE open_ms END) * interval '1 millisecond'
          WHERE s.session = in_session AND s.stream = in_stream;
        RETURN true;
      END`,
    ),
    create(
      `take_over_stream(
        in_session text, in_stream text, in_writer bytea, in_last bigint, in_texts bytea[],
        most_events bigint, most_bytes bigint, ended_ms float8, open_ms float8
      ) RETURNS boolean`,
      `
      DECLARE
        before bigint;
      BEGIN
        SELECT s.last INTO before FROM ${schema}.streams AS s
          WHERE s.session = in_session AND s.stream = in_stream AND s.writer = in_writer
            AND NOT s.is_ended AND s.kept_until > clock_timestamp() FOR UPDATE;
        IF NOT FOUND OR in_last <> before THEN RETURN false; END IF;
        PERFORM ${schema}.append_stream(
          in_session, in_stream, in_writer, before + 1, in_texts, true, NULL, most_events, most_bytes, ended_ms, open_ms);
        UPDATE ${schema}.streams AS s SET writer = '' WHERE s.session = in_session AND s.stream = in_stream;
        RETURN true;
      END`,
    ),
    create(
      `read_stream(in_session text, in_stream text, in_after bigint, most_events bigint, most_bytes bigint)
        RETURNS TABLE (is_last boolean, writer bytea, about bytea, texts bytea[])`,
      `
      DECLARE
        known ${schema}.streams%ROWTYPE;
      BEGIN
        SELECT * INTO known FROM ${schema}.streams AS s
          WHERE s.session = in_session AND s.stream = in_stream AND s.kept_until > clock_timestamp() FOR UPDATE;
        IF NOT FOUND OR in_after < known.dropped OR in_after > known.last THEN RETURN; END IF;
        UPDATE ${schema}.streams AS s SET read_at = clock_timestamp(), read_after = in_after
          WHERE s.session = in_session AND s.stream = in_stream;
        texts := ARRAY(
          SELECT following.text FROM (
            SELECT t.number, t.text, sum(octet_length(t.text)) OVER (ORDER BY t.number) AS total
              FROM ${schema}.stream_texts AS t
              WHERE t.session = in_session AND t.stream = in_stream
                AND t.number > in_after AND t.number <= in_after + most_events
          ) AS following
          WHERE following.number = in_after + 1 OR following.total <= most_bytes ORDER BY following.number);
        writer := known.writer;
        about := known.about;
        is_last := known.is_ended AND in_after + cardinality(texts) = known.last;
        RETURN NEXT;
      END`,
    ),
  ]
}

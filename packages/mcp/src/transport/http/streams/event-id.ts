/** The stream of an event, and its number there, as text for the wire. */
export function encodeEventId(streamId: string, sequence: number): string {
  return `${streamId}_${sequence}`
}

/** What an event id names; undefined for anything we did not write. */
export function readEventId(
  id: string,
): { readonly streamId: string; readonly sequence: number } | undefined {
  const match = /^([a-z0-9]{1,40})_(0|[1-9]\d{0,14})$/.exec(id)
  const [, streamId, sequence] = match ?? []
  return streamId === undefined || sequence === undefined
    ? undefined
    : { streamId, sequence: Number(sequence) }
}

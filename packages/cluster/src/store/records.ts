/** Which record: those of one group are kept together and can be listed. */
export interface RecordKey {
  /** Which group. */
  readonly group: string
  /** Which record of the group. */
  readonly id: string
}

/** A text, and how often it was written. */
export interface VersionedText {
  /** The text. */
  readonly text: string
  /** 1 when it was first written, then one more with each change. */
  readonly version: number
}

/** Texts that any process may change, none without having seen the last change. */
export interface Records {
  /** The text; undefined if there is no such record. */
  get(key: RecordKey): Promise<VersionedText | undefined>
  /**
   * Writes a text if the version is still `expected`, where 0 means that there is no such record; false if it is not. The
   * record is forgotten `keepMs` after the last write.
   */
  put(key: RecordKey, text: string, expected: number, keepMs: number): Promise<boolean>
  /** Does nothing if there is no such record. */
  remove(key: RecordKey): Promise<void>
  /** Records of a group in the order they were first written, at most `limit` of those after `cursor`. */
  list(group: string, cursor: string | undefined, limit: number): Promise<RecordPage>
}

/** Some records of a group. */
export interface RecordPage {
  /** The records, in the order they were first written. */
  readonly texts: readonly string[]
  /** Where the next page begins; undefined after the last. */
  readonly cursor?: string
}

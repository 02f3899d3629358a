/** Which record: those of one group are kept together and can be listed. */
export interface RecordKey {
  readonly group: string
  readonly id: string
}

/** A text, and how often it was written. */
export interface VersionedText {
  readonly text: string
  /** 1 when it was first written, then one more with each change. */
  readonly version: number
}

/** Texts that any process may change, none without having seen the last change. */
export interface Records {
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
  readonly texts: readonly string[]
  /** Where the next page begins; undefined after the last. */
  readonly cursor?: string
}

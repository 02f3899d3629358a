/** Another registry that is mirrored. */
export interface SyncSource {
  /** What the mirror calls it; where it has come to is kept under this name. */
  readonly id: string
  /** With or without `/v0.1` at its end. */
  readonly url: string
  /** For registries that answer known callers only. */
  readonly token?: string | undefined
  /** Names, or beginnings followed by `*`. @defaultValue all */
  readonly allow?: readonly string[] | undefined
  /** The same, for names that are left out. @defaultValue none */
  readonly deny?: readonly string[] | undefined
  /** The public Ed25519 key of its signed index, base64: a version that the index does not have is not taken over. @defaultValue the index is not read */
  readonly key?: string | undefined
}

/** How to mirror. */
export interface SyncOptions {
  /** The registry to mirror. */
  readonly source: SyncSource
  /** Asks the source. @defaultValue the global one */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
  /** Pages of one run. @defaultValue 10_000 */
  readonly maxPages?: number | undefined
  /** Reads everything again after this long, and not only what has changed: a source may have left something out, or its clock may have been set back. @defaultValue a day */
  readonly fullEveryMs?: number | undefined
  /** Attempts at one page, with growing pauses. @defaultValue 5 */
  readonly maxAttempts?: number | undefined
  /** The first of these pauses. @defaultValue 1_000 */
  readonly pauseMs?: number | undefined
  /** Stops the run; what was read stays. */
  readonly signal?: AbortSignal | undefined
}

/** What a run has done. */
export interface SyncReport {
  /** Pages that were read. */
  readonly pages: number
  /** Rows that were read, new or changed here, left out by a rule, or not taken. */
  readonly read: number
  /** Rows that were new, or changed here. */
  readonly changed: number
  /** Rows that a rule left out. */
  readonly filtered: number
  /** Rows that were not taken, each with the reason. */
  readonly refused: readonly string[]
}

/** Whether `allow` names the namespace itself, or a part of it: then names may be added to it although it is one of this registry. */
export function sharesNamespace({ allow = [] }: Pick<SyncSource, 'allow'>, name: string): boolean {
  const namespace = name.slice(0, name.indexOf('/') + 1)
  return allow.some((pattern) => pattern.startsWith(namespace))
}

/** Whether a name is to be taken over. */
export function isWanted(
  { allow, deny = [] }: Pick<SyncSource, 'allow' | 'deny'>,
  name: string,
): boolean {
  const fits = (pattern: string): boolean =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
  return (allow === undefined || allow.some(fits)) && !deny.some(fits)
}

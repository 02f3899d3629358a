/** A server of a configuration file, before it is added. */
export interface ConfigServer {
  readonly name: string
  /** The command line or the address as written, with secrets masked. */
  readonly shown: string
  /** What of this machine is put into it, and where. */
  readonly reads: readonly { readonly variable: string; readonly key: string }[]
  /** Questions that somebody has to answer first. */
  readonly inputs: readonly ConfigInput[]
  /** Why it cannot be added. */
  readonly why?: string | undefined
}

export interface ConfigInput {
  readonly id: string
  readonly description?: string | undefined
  readonly isPassword: boolean
  readonly options?: readonly string[] | undefined
}

/** The servers of one text or file, and what is wrong with it. */
export interface ConfigPreview {
  readonly servers: readonly ConfigServer[]
  /** One sentence each, with the line. */
  readonly problems: readonly string[]
}

/** A configuration file of this machine. */
export interface ConfigFile extends ConfigPreview {
  readonly file: string
  /** Whose format it has, such as `claude-desktop`. */
  readonly format: string
}

/** Where servers are added from: a text, or a file that `config/found` told of. */
export type ConfigOrigin =
  | { readonly text: string; readonly name?: string | undefined }
  | { readonly file: string }

/** Metadata of one version of a server, as its publisher wrote it: a `server.json`. */
export interface ServerDocument {
  readonly $schema?: string
  /** `namespace/name`, the namespace a domain reversed. */
  readonly name: string
  readonly description: string
  readonly title?: string
  readonly version: string
  readonly repository?: ServerRepository
  readonly websiteUrl?: string
  readonly icons?: readonly ServerIcon[]
  readonly packages?: readonly ServerPackage[]
  readonly remotes?: readonly ServerTransport[]
  readonly _meta?: { readonly [key: string]: unknown }
}

/** Where the sources are. */
export interface ServerRepository {
  readonly url: string
  /** The forge: `github` or `gitlab`. */
  readonly source: string
  /** The forge's own id, which tells a repository from one made anew under its name. */
  readonly id?: string
  readonly subfolder?: string
}

/** A picture for lists of servers. */
export interface ServerIcon {
  readonly src: string
  readonly mimeType?: string
  readonly sizes?: readonly string[]
  readonly theme?: 'light' | 'dark'
}

/** Something to install and start. */
export interface ServerPackage {
  /** `npm`, `pypi`, `nuget`, `cargo`, `oci` or `mcpb`. */
  readonly registryType: string
  readonly registryBaseUrl?: string
  readonly identifier: string
  readonly version?: string
  readonly fileSha256?: string
  /** The program that runs it, such as `npx`. */
  readonly runtimeHint?: string
  readonly transport: ServerTransport
  readonly runtimeArguments?: readonly ServerArgument[]
  readonly packageArguments?: readonly ServerArgument[]
  readonly environmentVariables?: readonly NamedInput[]
}

/** How a server is talked to. */
export interface ServerTransport {
  /** `stdio`, `streamable-http` or `sse`. */
  readonly type: string
  /** May hold `{variables}`. */
  readonly url?: string
  readonly headers?: readonly NamedInput[]
  /** What `{variables}` of a remote's URL stand for. */
  readonly variables?: { readonly [name: string]: ServerInput }
}

/** A value that is fixed, or asked for. */
export interface ServerInput {
  readonly description?: string
  readonly isRequired?: boolean
  readonly format?: 'string' | 'number' | 'boolean' | 'filepath'
  /** Fixed; `{name}` is replaced from `variables`. */
  readonly value?: string
  readonly isSecret?: boolean
  readonly default?: string
  readonly placeholder?: string
  readonly choices?: readonly string[]
  readonly variables?: { readonly [name: string]: ServerInput }
}

/** An environment variable or a header. */
export interface NamedInput extends ServerInput {
  readonly name: string
}

/** One argument of a command line. */
export interface ServerArgument extends ServerInput {
  readonly type: 'positional' | 'named'
  /** Of a named argument, with its dashes. */
  readonly name?: string
  /** What a positional argument is called. */
  readonly valueHint?: string
  readonly isRepeated?: boolean
}

/** Lifecycle of a published version. */
export type ServerStatus = 'active' | 'deprecated' | 'deleted'

/** What the registry itself says of a version. */
export interface OfficialMetadata {
  readonly status: ServerStatus
  readonly statusMessage?: string
  readonly statusChangedAt: string
  readonly publishedAt: string
  readonly updatedAt: string
  readonly isLatest: boolean
}

/** One version as the API answers with it. */
export interface ServerResponse {
  readonly server: ServerDocument
  readonly _meta: {
    readonly 'io.modelcontextprotocol.registry/official'?: OfficialMetadata
    readonly [key: string]: unknown
  }
}

/** The key of `OfficialMetadata` in `_meta`. */
export const officialKey = 'io.modelcontextprotocol.registry/official'
/** The only key of a document's `_meta` that survives publishing. */
export const publisherKey = 'io.modelcontextprotocol.registry/publisher-provided'

/** Metadata of one version of a server, as its publisher wrote it: a `server.json`. */
export interface ServerDocument {
  /** The schema that the document follows. */
  readonly $schema?: string
  /** `namespace/name`, the namespace a domain reversed. */
  readonly name: string
  /** What the server is for, in at most 100 characters. */
  readonly description: string
  /** A name for people. */
  readonly title?: string
  /** Its version; a range is not one. */
  readonly version: string
  /** Where its sources are. */
  readonly repository?: ServerRepository
  /** Where people read more about it. */
  readonly websiteUrl?: string
  /** Pictures for lists of servers. */
  readonly icons?: readonly ServerIcon[]
  /** Ways to install and start it. */
  readonly packages?: readonly ServerPackage[]
  /** Addresses where it runs already. */
  readonly remotes?: readonly ServerTransport[]
  /** Extra data, under keys with a prefix. */
  readonly _meta?: { readonly [key: string]: unknown }
}

/** Where the sources are. */
export interface ServerRepository {
  /** The address of the repository. */
  readonly url: string
  /** The forge: `github` or `gitlab`. */
  readonly source: string
  /** The forge's own id, which tells a repository from one made anew under its name. */
  readonly id?: string
  /** Where in the repository the server is; absent if that is its root. */
  readonly subfolder?: string
}

/** A picture for lists of servers. */
export interface ServerIcon {
  /** The address of the picture. */
  readonly src: string
  /** Its media type, such as `image/png`. */
  readonly mimeType?: string
  /** Its sizes, such as `48x48`; `any` for a drawing that scales. */
  readonly sizes?: readonly string[]
  /** Whether it is made for light or dark pages. @defaultValue both */
  readonly theme?: 'light' | 'dark'
}

/** Something to install and start. */
export interface ServerPackage {
  /** `npm`, `pypi`, `nuget`, `cargo`, `oci` or `mcpb`. */
  readonly registryType: string
  /** Where the package registry is. @defaultValue the public one of its type */
  readonly registryBaseUrl?: string
  /** The name of the package, or the address of the file. */
  readonly identifier: string
  /** Its version, exactly. */
  readonly version?: string
  /** The SHA-256 of the file, in hexadecimal; `mcpb` needs it. */
  readonly fileSha256?: string
  /** The program that runs it, such as `npx`. */
  readonly runtimeHint?: string
  /** How it is talked to once it runs. */
  readonly transport: ServerTransport
  /** Arguments of the program that runs it. */
  readonly runtimeArguments?: readonly ServerArgument[]
  /** Arguments of the package itself. */
  readonly packageArguments?: readonly ServerArgument[]
  /** Environment variables that it reads. */
  readonly environmentVariables?: readonly NamedInput[]
}

/** How a server is talked to. */
export interface ServerTransport {
  /** `stdio`, `streamable-http` or `sse`. */
  readonly type: string
  /** May hold `{variables}`. */
  readonly url?: string
  /** Headers to send, for a remote. */
  readonly headers?: readonly NamedInput[]
  /** What `{variables}` of a remote's URL stand for. */
  readonly variables?: { readonly [name: string]: ServerInput }
}

/** A value that is fixed, or asked for. */
export interface ServerInput {
  /** What to answer, for people. */
  readonly description?: string
  /** It cannot be left out. @defaultValue false */
  readonly isRequired?: boolean
  /** What kind of value it is. @defaultValue 'string' */
  readonly format?: 'string' | 'number' | 'boolean' | 'filepath'
  /** Fixed; `{name}` is replaced from `variables`. */
  readonly value?: string
  /** The answer must not be shown. @defaultValue false */
  readonly isSecret?: boolean
  /** What is used if nothing is answered. */
  readonly default?: string
  /** An example of an answer. */
  readonly placeholder?: string
  /** The only answers that fit; absent if any does. */
  readonly choices?: readonly string[]
  /** What `{name}` in `value` stands for. */
  readonly variables?: { readonly [name: string]: ServerInput }
}

/** An environment variable or a header. */
export interface NamedInput extends ServerInput {
  /** The name of the variable or header. */
  readonly name: string
}

/** One argument of a command line. */
export interface ServerArgument extends ServerInput {
  /** Whether it stands alone or follows a name. */
  readonly type: 'positional' | 'named'
  /** Of a named argument, with its dashes. */
  readonly name?: string
  /** What a positional argument is called. */
  readonly valueHint?: string
  /** It may be given more than once. @defaultValue false */
  readonly isRepeated?: boolean
}

/** Lifecycle of a published version. */
export type ServerStatus = 'active' | 'deprecated' | 'deleted'

/** What the registry itself says of a version. */
export interface OfficialMetadata {
  /** Whether it is active, deprecated or deleted. */
  readonly status: ServerStatus
  /** Why, if somebody said so. */
  readonly statusMessage?: string
  /** When the status last changed, as an ISO date. */
  readonly statusChangedAt: string
  /** When it was published, as an ISO date. */
  readonly publishedAt: string
  /** When anything about it last changed, as an ISO date. */
  readonly updatedAt: string
  /** It is the newest version of its server. */
  readonly isLatest: boolean
}

/** One version as the API answers with it. */
export interface ServerResponse {
  /** The document, as it was published. */
  readonly server: ServerDocument
  /** What the registry says of it. */
  readonly _meta: {
    readonly 'io.modelcontextprotocol.registry/official'?: OfficialMetadata
    readonly [key: string]: unknown
  }
}

/** The key of `OfficialMetadata` in `_meta`. */
export const officialKey = 'io.modelcontextprotocol.registry/official'
/** The only key of a document's `_meta` that survives publishing. */
export const publisherKey = 'io.modelcontextprotocol.registry/publisher-provided'

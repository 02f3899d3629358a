/** A file with servers that could be added. */
export interface FoundFile {
  /** Its path. */
  readonly file: string
  /** The application that it belongs to, such as Claude Desktop. */
  readonly format: string
  /** The servers in it. */
  readonly servers: readonly FoundServer[]
}

/** A server of a file. */
export interface FoundServer {
  /** Its name in the file. */
  readonly name: string
  /** The command line or address, without secrets: what is agreed to. */
  readonly shown: string
  /** Why it cannot be added. */
  readonly why?: string | undefined
}

/** A model that could be used. */
export interface FoundModel {
  /** As `--model` takes it. */
  readonly name: string
  /** The address of its API, where it is not the provider's own. */
  readonly baseUrl?: string | undefined
  /** Why it is offered: it runs here, or its key is in the environment. */
  readonly where: string
}

/** A server as a person writes it: an address, or a program with its arguments. */
export type CustomEntry =
  | {
      /** The address of a server over HTTP or WebSocket. */
      readonly url: string
    }
  | {
      /** The program to start. */
      readonly command: string
      /** The arguments of the program. */
      readonly args: readonly string[]
    }

import { changeLockedFile, readPrivateFile } from '@parley/foundation/files'

/** What was chosen in the page, for the next start. */
export interface ChatSettings {
  /** The model, and its address where it is not the provider's own. */
  readonly model?: { readonly name: string; readonly baseUrl?: string | undefined } | undefined
  /** Folders that servers are told of. */
  readonly roots?: readonly string[] | undefined
  /** Servers of other applications' files, with what was shown of each when it was added. */
  readonly servers?:
    | readonly { readonly file: string; readonly name: string; readonly shown: string }[]
    | undefined
  /** Servers that were written to the user's own configuration from here. */
  readonly own?: readonly string[] | undefined
  /** The welcome is over. */
  readonly isSetUp?: boolean | undefined
}

/** What is kept; nothing if there is no file, or it is none of ours. */
export async function readSettings(file: string): Promise<ChatSettings> {
  return parse(await readPrivateFile(file))
}

/** Changes it, whole or not at all. */
export async function changeSettings(
  file: string,
  change: (settings: ChatSettings) => ChatSettings,
): Promise<void> {
  await changeLockedFile(file, (text) => `${JSON.stringify(change(parse(text)), undefined, 2)}\n`)
}

function parse(text: string | undefined): ChatSettings {
  if (text === undefined) return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return {}
    const { model, roots, servers, own, isSetUp } = value as Record<string, unknown> // each is looked at below
    return {
      ...(isModel(model) && { model }),
      ...(Array.isArray(roots) && { roots: roots.filter(isText) }),
      ...(Array.isArray(servers) && { servers: servers.filter(isServer) }),
      ...(Array.isArray(own) && { own: own.filter(isText) }),
      ...(isSetUp === true && { isSetUp }),
    }
  } catch {
    return {} // half a file of another program: we begin anew
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isModel(value: unknown): value is NonNullable<ChatSettings['model']> {
  if (typeof value !== 'object' || value === null || !('name' in value)) return false
  const { baseUrl } = value as { baseUrl?: unknown } // looked at in the next line
  return typeof value.name === 'string' && (baseUrl === undefined || typeof baseUrl === 'string')
}

function isServer(value: unknown): value is NonNullable<ChatSettings['servers']>[number] {
  if (typeof value !== 'object' || value === null) return false
  if (!('file' in value && 'name' in value && 'shown' in value)) return false
  return [value.file, value.name, value.shown].every((text) => typeof text === 'string')
}

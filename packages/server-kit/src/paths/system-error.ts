/**
 * The code of a failure of the system, such as `ENOENT`; undefined for errors of any other kind. `UNKNOWN` is what Node calls
 * a failure of Windows that it has no name for, such as a cloud file that is offline.
 */
export function systemCode(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^(?:E[A-Z0-9_]+|UNKNOWN)$/.test(code) ? code : undefined
}

/** The failures we tell of before the system does. */
const texts = {
  ENOENT: 'no such file or directory',
  EEXIST: 'file already exists',
} as const

/** A failure as the system would tell it. */
export function systemError(code: keyof typeof texts, operation: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${texts[code]}, ${operation} '${path}'`), { code })
}

/** How a failure is told instead. */
export interface Restatement {
  /** The folder that was used, and the path people know it by. */
  readonly folder?: { readonly used: string; readonly known: string } | undefined
  /** What was being done, in the word people expect. */
  readonly operation?: string | undefined
}

/** A failure of the system, told in the terms of whoever asked; other errors stay as they are. */
export function restate(error: unknown, { folder, operation }: Restatement): unknown {
  const code = systemCode(error)
  if (!(error instanceof Error) || code === undefined) return error
  let { message } = error
  if (folder) {
    message = message
      .replaceAll(`${folder.used}/`, `${folder.known}/`)
      .replaceAll(`'${folder.used}'`, `'${folder.known}'`)
  }
  if (operation !== undefined) message = message.replace(/, \w+ '/, `, ${operation} '`)
  return Object.assign(new Error(message, { cause: error }), { code })
}

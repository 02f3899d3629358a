/** Why a request was not served; told as JSON. */
export interface Rejection {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly hint?: string | undefined
}

const hints: { readonly [code: string]: string } = {
  foreign_host:
    'Open the page by its own address, or allow the name with --allowed-hosts if there is a proxy in front.',
  foreign_origin: 'Only pages served from this address may use it.',
  not_entered: 'Open the link that the program printed. Each link works once, in one browser.',
}

/** A refusal with what to do about it, where that is known. */
export function reject(status: number, code: string, message: string): Rejection {
  return { status, code, message, hint: hints[code] }
}

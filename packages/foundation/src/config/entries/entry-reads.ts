import type { ConfigEntry } from './config-entry.ts'

/** Something of this machine that an entry reads, and the field it is put into. */
export interface EntryRead {
  /** The variable as written: `${env:TOKEN}`, `${file:/home/ada/key}`. */
  readonly variable: string
  /** Such as `url` or `headers.Authorization`. */
  readonly key: string
}

/**
 * What an entry reads of the user's: the environment, files and kept secrets. Answers to questions are given by the
 * user, and the names of folders say nothing, so those do not count.
 */
export function entryReads({ target, settings }: ConfigEntry): readonly EntryRead[] {
  const clientSecret = settings.oauth?.clientSecret
  const fields: (readonly [string, string | undefined])[] =
    target.kind === 'url'
      ? [['url', target.url], ...pairs('headers', target.headers)]
      : [
          ['command', target.command],
          ...target.args.map((text, at) => [`args.${at}`, text] as const),
          ...pairs('env', target.env),
          ['envFile', target.envFile],
          ['cwd', target.cwd],
        ]
  return [...fields, ['oauth.clientSecret', clientSecret] as const].flatMap(([key, text = '']) =>
    [...text.matchAll(/\$\{([^{}]*)\}/g)].flatMap(([variable, inside = '']) =>
      isOfUser(inside) ? [{ variable, key }] : [],
    ),
  )
}

function pairs(key: string, values: { readonly [name: string]: string }) {
  return Object.entries(values).map(([name, text]) => [`${key}.${name}`, text] as const)
}

const harmless = /^(?:input:|workspaceFolder|userHome$|cwd$|pathSeparator$|\/$)/

function isOfUser(inside: string): boolean {
  return !harmless.test(inside)
}

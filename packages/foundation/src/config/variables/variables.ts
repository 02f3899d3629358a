/** Returns the value of a variable; `undefined` if there is none. */
export type Lookup = (name: string) => string | undefined | Promise<string | undefined>

/** Where the values of variables are from, by the word before the colon. */
export interface VariableSources {
  readonly env: Lookup
  readonly input: Lookup
  readonly secret: Lookup
  readonly file: Lookup
  readonly workspaceFolder: Lookup
  /** Names that stand for themselves: `userHome`, `cwd`, `/`. */
  readonly words: { readonly [name: string]: string }
  /** Whether `${NAME}` means the environment; else such text stays as it is. @defaultValue true */
  readonly hasPlain?: boolean | undefined
}

/** The text with its values, or the variables that have none. */
export type Substituted =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly unresolved: readonly Unresolved[] }

/** A variable without a value, and why. */
export interface Unresolved {
  readonly variable: string
  readonly reason: 'unset' | 'unknown'
}

/** Puts values in place of variables, once: what a value holds is never looked at again. */
export async function substitute(text: string, sources: VariableSources): Promise<Substituted> {
  const parts = [...text.matchAll(/\$\{([^{}]*)\}/g)]
  const values = await Promise.all(parts.map(([, inside = '']) => valueOf(inside, sources)))
  const unresolved: Unresolved[] = []
  let result = ''
  let from = 0
  for (const [index, part] of parts.entries()) {
    const found = values[index]
    result += text.slice(from, part.index)
    if (found?.kind === 'value') result += found.value
    else if (found?.kind === 'literal') result += part[0]
    else if (found !== undefined) unresolved.push({ variable: part[0], reason: found.kind })
    from = part.index + part[0].length
  }
  if (unresolved.length > 0) return { ok: false, unresolved }
  return { ok: true, text: result + text.slice(from) }
}

type Found =
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'literal' | 'unset' | 'unknown' }

async function valueOf(inside: string, sources: VariableSources): Promise<Found> {
  if (Object.hasOwn(sources.words, inside)) return foundOrUnset(sources.words[inside])
  const [, source = '', name = ''] = /^(\w+):(?!-)(.*)$/s.exec(inside) ?? []
  switch (source) {
    case 'env':
    case 'input':
    case 'secret':
    case 'file':
    case 'workspaceFolder':
      return foundOrUnset(await sources[source](name))
    case '':
      return plainValue(inside, sources)
    default:
      return { kind: 'unknown' }
  }
}

/** `${NAME}` and `${NAME:-default}`. As in a shell, an empty value counts as none where there is a default. */
async function plainValue(
  inside: string,
  { env, hasPlain = true }: VariableSources,
): Promise<Found> {
  if (!hasPlain) return { kind: 'literal' }
  const [, name, , preset] = /^([A-Za-z_]\w*)(:-(.*))?$/s.exec(inside) ?? []
  if (name === undefined) return { kind: 'unknown' }
  const value = await env(name)
  return foundOrUnset(preset === undefined ? value : value || preset)
}

function foundOrUnset(value: string | undefined): Found {
  return value === undefined ? { kind: 'unset' } : { kind: 'value', value }
}

/** The names after a word in a text: which inputs, or which variables, it needs. */
export function namesIn(text: string, source: 'env' | 'input' | 'secret'): readonly string[] {
  const prefix = `${source}:`
  return [...text.matchAll(/\$\{([^{}]*)\}/g)].flatMap(([, inside = '']) =>
    inside.startsWith(prefix) ? [inside.slice(prefix.length)] : [],
  )
}

import type { Model } from './model.ts'

/** Abilities of models by their names. Options take precedence. */
export interface Abilities {
  readonly accepts: NonNullable<Model['accepts']>
  readonly contextTokens: number | undefined
}

const seeing =
  /gpt-(4o|4\.1|4-turbo|[5-9])|^o[1-9]|claude|gemini|llava|vision|pixtral|moondream|minicpm-v|gemma-?3|llama-?4|[-_:]?vl\b|\dvl|omni/i
const hearing = /audio|omni/i

const windows: readonly (readonly [pattern: RegExp, tokens: number])[] = [
  [/gpt-4\.1/i, 1_047_576],
  [/gpt-4o|gpt-4-turbo/i, 128_000],
  [/gpt-[5-9]/i, 400_000],
  [/^o[1-9]/i, 200_000],
  [/claude/i, 200_000],
]

/** By the name that the endpoint knows. */
export function abilitiesOf(id: string): Abilities {
  const contextTokens = windows.find(([pattern]) => pattern.test(id))?.[1]
  return { accepts: { images: seeing.test(id), audio: hearing.test(id) }, contextTokens }
}

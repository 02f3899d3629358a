import type { CreateMessageRequestParams } from '@parley/mcp'

/** The preferences of a server in `sampling/createMessage`. */
export type ModelPreferences = NonNullable<CreateMessageRequestParams['modelPreferences']>

/** A model to choose from. `Model` is one. */
export interface ModelCandidate {
  /** The name by which people choose it. */
  readonly name: string
  /** @defaultValue what the name says, such as "mini" or "opus" */
  readonly ratings?: ModelRatings | undefined
}

/** From 0 to 1, compared with the other models: what is not said counts as 0.5. */
export interface ModelRatings {
  /** 1 is the most expensive. */
  readonly cost?: number | undefined
  /** 1 is the fastest. */
  readonly speed?: number | undefined
  /** 1 is the most capable. */
  readonly intelligence?: number | undefined
}

/**
 * The model that fits what a server prefers. Hints come first: each is a part of a name, and the first that any name
 * contains decides. Among those models, or among all if no hint fits, the priorities decide, and then the order.
 * Undefined only if there are no models.
 */
export function chooseModel<Candidate extends ModelCandidate>(
  models: readonly Candidate[],
  preferences: ModelPreferences = {},
): Candidate | undefined {
  const [first, ...others] = modelsHinted(models, preferences) ?? models
  if (first === undefined) return undefined
  let [best, bestScore] = [first, scoreOf(first, preferences)]
  for (const model of others) {
    const score = scoreOf(model, preferences)
    if (score > bestScore) [best, bestScore] = [model, score]
  }
  return best
}

function modelsHinted<Candidate extends ModelCandidate>(
  models: readonly Candidate[],
  { hints = [] }: ModelPreferences,
): readonly Candidate[] | undefined {
  for (const { name = '' } of hints) {
    const part = name.trim().toLowerCase()
    const fitting =
      part === '' ? [] : models.filter((model) => model.name.toLowerCase().includes(part))
    if (fitting.length > 0) return fitting
  }
  return undefined
}

function scoreOf(model: ModelCandidate, preferences: ModelPreferences): number {
  const { cost = 0.5, speed = 0.5, intelligence = 0.5 } = model.ratings ?? ratingsByName(model.name)
  const { costPriority = 0, speedPriority = 0, intelligencePriority = 0 } = preferences
  return costPriority * (1 - cost) + speedPriority * speed + intelligencePriority * intelligence
}

const families: readonly (readonly [pattern: RegExp, ratings: ModelRatings])[] = [
  [/^(ollama|lmstudio|llamacpp|vllm)\//, { cost: 0, speed: 0.4, intelligence: 0.3 }],
  [/nano|haiku|flash-lite|tiny/, { cost: 0.1, speed: 0.9, intelligence: 0.3 }],
  [/mini|flash|small|lite|fast/, { cost: 0.2, speed: 0.8, intelligence: 0.4 }],
  [/opus|\bpro\b|ultra|max/, { cost: 1, speed: 0.2, intelligence: 1 }],
  [/sonnet|gpt-[4-9]|large|\bo\d/, { cost: 0.6, speed: 0.5, intelligence: 0.8 }],
]

function ratingsByName(name: string): ModelRatings {
  return families.find(([pattern]) => pattern.test(name.toLowerCase()))?.[1] ?? {}
}

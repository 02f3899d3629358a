import type { Attributes, Meter } from '@opentelemetry/api'

import type { ModelEnding } from './host-watch.ts'

/** What is counted of requests to models. */
export interface ModelFigures {
  /** A request has ended; `type` says how, if it failed. */
  ended(
    attributes: Attributes,
    seconds: number,
    ending: Pick<ModelEnding, 'inputTokens' | 'outputTokens'>,
    type: string | undefined,
  ): void
}

export function createModelFigures(meter: Meter): ModelFigures {
  const durations = meter.createHistogram('gen_ai.client.operation.duration', {
    unit: 's',
    description: 'How long requests to models take',
    advice: { explicitBucketBoundaries: powers(2, 14).map((power) => power / 100) },
  })
  const tokens = meter.createHistogram('gen_ai.client.token.usage', {
    unit: '{token}',
    description: 'Tokens that models read and write',
    advice: { explicitBucketBoundaries: powers(4, 14) },
  })
  return {
    ended(attributes, seconds, { inputTokens, outputTokens }, type) {
      durations.record(
        seconds,
        type === undefined ? attributes : { ...attributes, 'error.type': type },
      )
      if (inputTokens !== undefined) {
        tokens.record(inputTokens, { ...attributes, 'gen_ai.token.type': 'input' })
      }
      if (outputTokens !== undefined) {
        tokens.record(outputTokens, { ...attributes, 'gen_ai.token.type': 'output' })
      }
    },
  }
}

/** Boundaries as the conventions advise: from 1 up, each so many times the one before. */
function powers(base: number, count: number): number[] {
  return Array.from({ length: count }, (_, exponent) => base ** exponent)
}

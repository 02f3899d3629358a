import { summarize } from './statistics.mjs'

/**
 * Measures every contestant once per round, in turn, so that a busy moment of the machine falls on all of them.
 * One that is missing or fails is reported with its reason and not asked again.
 */
export async function interleave(contestants, { rounds, onProgress, missing, measure }) {
  const standings = contestants.map((contestant) => ({
    contestant,
    samples: [],
    failure: missing(contestant),
  }))
  for (let round = 1; round <= rounds; round++) {
    for (const standing of standings) {
      if (standing.failure !== undefined) continue
      onProgress?.(`round ${round}/${rounds}  ${standing.contestant.title}`)
      try {
        standing.samples.push(await measure(standing.contestant))
      } catch (error) {
        standing.failure = error.message
      }
    }
  }
  return standings.map(({ contestant: { name, title }, samples, failure }) => ({
    name,
    title,
    ...(failure === undefined ? { figures: summarize(samples) } : { failure }),
  }))
}

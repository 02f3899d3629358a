import { disconnects } from './disconnects.mjs'
import { killElicitation } from './kill-elicitation.mjs'
import { killRunning } from './kill-running.mjs'
import { pause } from './pause.mjs'

const parts = [disconnects, killElicitation, killRunning, pause]

/** @type {import('../scenario.mjs').Scenario} */
export const busLost = {
  name: 'bus-lost',
  title: 'all hints between processes lost',
  target: 'the same contract, later by at most a heartbeat',
  stores: ['redis'],
  world: { busLost: 1 },

  async run(world, round) {
    const faults = []
    /** @type {Record<string, readonly number[]>} */
    const figures = {}
    for (const part of round.isQuick ? parts.slice(0, 2) : parts) {
      await world.heal()
      const outcome = await part.run(world, round)
      faults.push(...outcome.faults.map((fault) => `${part.name}: ${fault}`))
      for (const [name, values] of Object.entries(outcome.figures))
        figures[`${part.name} ${name}`] = values
    }
    return { faults, figures }
  },

  describe: (figures) =>
    parts
      .map((part) => {
        const own = Object.entries(figures).filter(([name]) => name.startsWith(`${part.name} `))
        if (own.length === 0) return ''
        return part.describe(
          Object.fromEntries(
            own.map(([name, values]) => [name.slice(part.name.length + 1), values]),
          ),
        )
      })
      .filter(Boolean)
      .join('; '),
}

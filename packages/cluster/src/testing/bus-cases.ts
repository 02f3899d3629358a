import { deepEqual } from 'node:assert/strict'

import type { ContractCase } from './store-contract.ts'
import { eventually } from './waiting.ts'

/** Hints. They may be lost, so a case publishes until one is heard. */
export const busCases: readonly ContractCase[] = [
  {
    name: 'a hint reaches other processes and the own one, on its topic alone',
    async check(first, second) {
      const received: string[] = []
      const listening = [
        first.bus.subscribe('news', (text) => received.push(`first ${text}`)),
        second.bus.subscribe('news', (text) => received.push(`second ${text}`)),
        second.bus.subscribe('other', (text) => received.push(`other ${text}`)),
      ]
      await eventually(() => {
        first.bus.publish('news', 'ü "1"')
        return received.includes('first ü "1"') && received.includes('second ü "1"')
      }, 'both have heard it')
      for (const one of listening) one[Symbol.dispose]()
      deepEqual(
        received.filter((text) => text.startsWith('other')),
        [],
      )
    },
  },
  {
    name: 'who has let go hears nothing, who listens twice hears it twice',
    async check({ bus }) {
      const received: string[] = []
      const onText = (text: string): void => void received.push(text)
      const [once, twice] = [bus.subscribe('news', onText), bus.subscribe('news', onText)]
      await eventually(() => {
        bus.publish('news', 'x')
        return received.length >= 2
      }, 'it is heard')
      once[Symbol.dispose]()
      twice[Symbol.dispose]()
      using _ = bus.subscribe('news', () => received.push('last'))
      await eventually(() => {
        bus.publish('news', 'y')
        return received.includes('last')
      }, 'the other one hears')
      deepEqual(received.includes('y'), false)
    },
  },
]

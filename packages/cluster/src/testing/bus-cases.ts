import { deepEqual } from 'node:assert/strict'

import type { ContractCase } from './store-contract.ts'
import { eventually } from './waiting.ts'

/** Hints. They may be lost, so a case publishes until one is heard. */
export const busCases: readonly ContractCase[] = [
  {
    name: 'a hint reaches other processes and the own one, on its topic alone',
    async check(first, second) {
      const heard: string[] = []
      const listening = [
        first.bus.subscribe('news', (text) => heard.push(`first ${text}`)),
        second.bus.subscribe('news', (text) => heard.push(`second ${text}`)),
        second.bus.subscribe('other', (text) => heard.push(`other ${text}`)),
      ]
      await eventually(() => {
        first.bus.publish('news', 'ü "1"')
        return heard.includes('first ü "1"') && heard.includes('second ü "1"')
      }, 'both have heard it')
      for (const one of listening) one[Symbol.dispose]()
      deepEqual(
        heard.filter((text) => text.startsWith('other')),
        [],
      )
    },
  },
  {
    name: 'who has let go hears nothing, who listens twice hears it twice',
    async check({ bus }) {
      const heard: string[] = []
      const hear = (text: string): void => void heard.push(text)
      const [once, twice] = [bus.subscribe('news', hear), bus.subscribe('news', hear)]
      await eventually(() => {
        bus.publish('news', 'x')
        return heard.length >= 2
      }, 'it is heard')
      once[Symbol.dispose]()
      twice[Symbol.dispose]()
      using _ = bus.subscribe('news', () => heard.push('last'))
      await eventually(() => {
        bus.publish('news', 'y')
        return heard.includes('last')
      }, 'the other one hears')
      deepEqual(heard.includes('y'), false)
    },
  },
]

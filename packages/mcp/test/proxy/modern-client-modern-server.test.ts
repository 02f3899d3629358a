import { describe } from 'vitest'

import { relaysEverything } from './relaying.ts'

describe('a client of 2026-07-28 in front of a server of 2026-07-28', () => {
  relaysEverything('modern', 'modern')
})

// The floor, and the time that loading Zod takes.
export * from './floor-stdio.mjs'
export { z } from 'zod'

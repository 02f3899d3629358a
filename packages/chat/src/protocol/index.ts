export type * from './channel.ts'
export type * from './views.ts'

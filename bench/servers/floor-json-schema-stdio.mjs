// The floor checks its input by hand, whatever describes it.
export * from './floor-stdio.mjs'

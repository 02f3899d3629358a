export { highlight } from './highlight.ts'
export type { CodePiece, CodeKind } from './highlight.ts'

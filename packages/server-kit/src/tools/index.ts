export { decodeCursor, encodeCursor } from './cursor.ts'
export { explainErrors, type Explained } from './explain-errors.ts'
export { prettyResult, type Writable } from './pretty-result.ts'
export { toolHints, type ToolEffect, type ToolHintOptions } from './tool-hints.ts'

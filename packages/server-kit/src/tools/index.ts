export { toolHints, type ToolEffect, type ToolHintOptions } from './tool-hints.ts'

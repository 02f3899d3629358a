export { exposedToolName } from './naming/exposed-tool-name.ts'

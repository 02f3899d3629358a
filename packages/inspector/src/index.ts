export type { ConfiguredServer, Inspector, InspectorOptions } from './options.ts'
export { startInspector } from './start-inspector.ts'

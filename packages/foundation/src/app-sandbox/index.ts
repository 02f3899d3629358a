export { startAppSandbox } from './start-app-sandbox.ts'
export type { AppSandbox, AppSandboxOptions } from './start-app-sandbox.ts'

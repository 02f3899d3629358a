export { AppFrame } from './app-frame.tsx'
export type { AppFrameProps } from './app-frame.tsx'
export type { AppContext } from './app-request.ts'

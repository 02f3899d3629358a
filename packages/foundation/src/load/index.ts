export { runLoad, type LoadPlan, type LoadSink } from './run-load.ts'

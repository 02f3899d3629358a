export type {
  Model,
  ModelCall,
  ModelContent,
  ModelEvent,
  ModelMessage,
  ModelOptions,
  ModelRetry,
  ModelTool,
} from './model.ts'
export { ModelError, type ModelErrorCode } from './model-error.ts'

export type {
  ReplyPart,
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
export { openModel, type OpenModelOptions } from './open-model.ts'
export type { KeyQuestion, KeySources } from './model-key.ts'
export type { RetryOptions } from './retry.ts'
export type { ScriptedReply, ScriptedCall, ScriptedRequest, ScriptedTurn } from './script.ts'
export {
  createScriptedModel,
  type ScriptedModel,
  type ScriptedModelOptions,
} from './scripted-model.ts'
export {
  chooseModel,
  type ModelCandidate,
  type ModelPreferences,
  type ModelRatings,
} from './choose-model.ts'
export {
  findLocalModels,
  type FindLocalModelsOptions,
  type LocalModel,
  type LocalProvider,
} from './local-models.ts'

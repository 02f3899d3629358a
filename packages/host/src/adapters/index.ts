export type {
  AdapterLimits,
  AdapterOptions,
  AdapterProgress,
  AdapterServer,
  AdapterServers,
} from './adapter-options.ts'
export {
  toAiTools,
  type AiCallOptions,
  type AiModelOutput,
  type AiSchema,
  type AiTool,
  type AiToolOutput,
} from './ai-tools.ts'
export type { AnswerOptions } from './answer-calls.ts'
export {
  toAnthropicTools,
  type AnthropicImageType,
  type AnthropicMessage,
  type AnthropicResult,
  type AnthropicTool,
  type AnthropicTools,
} from './anthropic-tools.ts'
export {
  toLangChainTools,
  type LangChainConfig,
  type LangChainError,
  type LangChainFields,
  type LangChainOptions,
} from './langchain-tools.ts'
export {
  toOpenAiTools,
  type OpenAiToolMessage,
  type OpenAiChatCall,
  type OpenAiChatMessage,
  type OpenAiChatTool,
  type OpenAiResponse,
  type OpenAiResponseOutput,
  type OpenAiResponseTool,
  type OpenAiTools,
} from './openai-tools.ts'

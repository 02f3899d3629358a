export type { Chat, ChatAnswer, ChatEvent, ChatQuestion } from './chat.ts'
export type { ConversationStore, ConversationSummary } from './store/conversation-store.ts'

import type { Answer, InputRequestForm } from './question.ts'

/** What every answer form gets: the question, and how to end it. */
export interface AnswerProps {
  readonly question: InputRequestForm
  readonly isBusy: boolean
  readonly isOpen?: ((id: string) => boolean) | undefined
  readonly onAnswer: (answer: Answer) => void
}

/** A question that has no answer; the message is for the model. */
export class TimeFailure extends Error {
  override readonly name = 'TimeFailure'
}

/** Why a statement is not run, in words for whoever typed it. */
export class Refused extends Error {
  override name = 'Refused'
  /** Where, in characters; null where that is not known. */
  readonly position: number | null

  constructor(message: string, position: number | null) {
    super(message)
    this.position = position
  }
}

export type GraphqlPath = (string | number)[] | null

/** What the API says no with; it travels under status 200. */
export class GraphqlRefusal extends Error {
  readonly path: GraphqlPath

  constructor(message: string, path: GraphqlPath = null) {
    super(message)
    this.path = path
  }
}

/** Why what needs something that is not there yet cannot be sent; without an error it passes by itself. */
export const unread = (what: string, error: unknown): string =>
  error ? `${what} could not be loaded` : `${what} is still loading`

/** Why what follows from a preview cannot be confirmed yet. */
export const stillLoading = unread('The preview', null)

/** Why what follows from a preview that is not there cannot be confirmed. */
export const unreadPreview = (error: unknown): string => unread('The preview', error)

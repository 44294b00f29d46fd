/** Why what follows from a preview cannot be confirmed yet; it passes by itself. */
export const stillLoading = 'The preview is still loading'

/** Why what follows from a preview that is not there cannot be confirmed. */
export const unreadPreview = (error: unknown): string =>
  error ? 'The preview could not be loaded. Press Retry first.' : stillLoading

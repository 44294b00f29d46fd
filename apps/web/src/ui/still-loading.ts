/** Why what follows from a preview cannot be confirmed yet; it passes by itself. */
export const stillLoading = 'The preview is still loading'

const longestMessage = 2000

/** Only what may become a link. */
export const httpOnly = (url: string | null | undefined): string | null =>
  url && /^https?:\/\//.test(url) ? url : null

export const shortMessage = (text: string | null | undefined): string | null => text?.slice(0, longestMessage) || null

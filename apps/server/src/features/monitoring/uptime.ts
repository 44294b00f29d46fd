export type KnownTime = { known_seconds: number; down_seconds: number }

/**
 * 1 − confirmed down / (total − maintenance − unknown), in percent: what is known is what the total leaves without
 * maintenance and unknown time. null where nothing is known.
 */
const uptimePercent = ({ known_seconds, down_seconds }: KnownTime): number | null =>
  known_seconds === 0 ? null : (100 * (known_seconds - down_seconds)) / known_seconds

const sum = (spans: readonly KnownTime[], of: keyof KnownTime) => spans.reduce((total, span) => total + span[of], 0)

export const uptimeOf = (spans: readonly KnownTime[]): number | null =>
  uptimePercent({ known_seconds: sum(spans, 'known_seconds'), down_seconds: sum(spans, 'down_seconds') })

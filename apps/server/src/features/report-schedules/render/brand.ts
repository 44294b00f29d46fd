const black = '#000000'
const white = '#ffffff'
/** Of text (WCAG 2.2, 1.4.3). */
const least = 4.5

const channelsOf = (color: string): number[] =>
  [1, 3, 5].map((place) => Number.parseInt(color.slice(place, place + 2), 16))

const linear = (channel: number): number => {
  const part = channel / 255
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map(linear)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** One of the two always reaches it, whatever the color. */
export const textOn = (color: string): string => (contrast(color, white) >= contrast(color, black) ? white : black)

/** The color itself, or as much darker as text on white needs. */
export function readable(color: string): string {
  for (let part = 1; part > 0; part -= 0.02) {
    const darker = `#${channelsOf(color)
      .map((channel) =>
        Math.round(channel * part)
          .toString(16)
          .padStart(2, '0'),
      )
      .join('')}`
    if (contrast(darker, white) >= least) return darker
  }
  return black
}

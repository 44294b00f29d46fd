export const mebibyte = 1024 * 1024
export const mostMemory = 256 * mebibyte
export const mostOnDisk = 512 * mebibyte

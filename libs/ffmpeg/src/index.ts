export * from './ffmpeg.js';
export { LastLines } from './last-lines.js';

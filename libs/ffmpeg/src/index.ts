export * from './ffmpeg.js';
export { LastLines } from './last-lines.js';
export * from './webrtc-output.js';

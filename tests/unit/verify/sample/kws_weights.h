#ifndef KWS_WEIGHTS_H
#define KWS_WEIGHTS_H

extern const float kws_w_fc1[128]; /* [8][16] */
extern const float kws_b_fc1[8];
extern const float kws_w_fc2[32]; /* [4][8] */
extern const float kws_b_fc2[4];

#endif

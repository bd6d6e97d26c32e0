#ifndef _MATH_H
#define _MATH_H
double fabs(double); double sqrt(double); double pow(double, double); double exp(double); double log(double);
double sin(double); double cos(double); double tan(double); double floor(double); double ceil(double); double fmod(double, double);
float fabsf(float); float sqrtf(float); float powf(float, float); float floorf(float); float ceilf(float);
#endif
